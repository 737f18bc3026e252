/** `codeEditor` → `CodeEditor`. */
export const upperFirst = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** `CodeEditor` → `codeEditor`. */
export const lowerFirst = (word: string): string => word.charAt(0).toLowerCase() + word.slice(1);
