import { idOf } from "./ids.ts";

/** The ids under which the parts of a package are installed. */
export interface PackageIds {
  /** Of the variant at a position. */
  readonly variant: (index: number) => string;
  /** Of the function with a key. */
  readonly func: (key: string) => string;
  /** Of the binding at a position of the variant at a position. */
  readonly binding: (index: number, position: number) => string;
}

/** The ids of a package of the catalogue, the same wherever and whenever it is installed. */
export function packageIds({
  schemaId,
  hash,
}: {
  readonly schemaId: string;
  readonly hash: string;
}): PackageIds {
  const of = (part: string): string => idOf(`package ${schemaId} ${hash} ${part}`);
  return {
    variant: (index) => of(`variant ${index}`),
    func: (key) => of(`func ${key}`),
    binding: (index, position) => of(`binding ${index} ${position}`),
  };
}
