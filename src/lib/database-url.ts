/** The file of `sqlite:<path>` or `sqlite://<path>`; undefined for every other address. */
export const sqliteFile = (url: string): string | undefined => /^sqlite:(?:\/\/)?(.+)$/.exec(url)?.[1];
