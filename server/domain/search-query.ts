import { refuse } from "./refusal.ts";
import { asciiLower } from "./search-text.ts";

/** A text to look for, in any ASCII letter case: somewhere (`*` stands for anything between), whole, or in front. */
export interface Term {
  readonly how: "contains" | "equals" | "begins";
  readonly text: string;
}

/** A query as it was understood. Of nothing `and` is everything; neither `and` nor `or` has a part of its own kind. */
export type SearchQuery =
  | { readonly does: "and" | "or"; readonly parts: readonly SearchQuery[] }
  | { readonly does: "not"; readonly part: SearchQuery }
  /** The component itself: its name, schema, category or id. */
  | { readonly does: "component"; readonly term: Term }
  /** One of its attributes, or a fact of that name; without terms only whether there is such an attribute. */
  | { readonly does: "attribute"; readonly name: string; readonly terms: readonly Term[] };

/** The query that every component fits. */
export const everything: SearchQuery = { does: "and", parts: [] };

/**
 * Reads a query, in time that grows with its length only, however deep its parentheses. What cannot be read is refused
 * with its position, counted from 1; `at` names the member of the request.
 *
 * ```
 * query    := or-expr { or-expr }                 next to each other: both
 * or-expr  := and-expr { "|" and-expr }
 * and-expr := atom { (blank | "&") atom }
 * atom     := "(" or-expr [")"] | "!" {blank} atom | '"' text ['"'] | name ":" terms | word
 * terms    := [term] { ("|" | ",") [term] }       no blanks around the separators
 * ```
 */
export const parseSearch = (text: string, at: string): SearchQuery => new Parser(text, at).parse();

/** An or-expression that is being read. */
class Group {
  /** Whether a `!` stood before it. */
  readonly negated: boolean;
  readonly #alternatives: SearchQuery[] = [];
  #operands: SearchQuery[] = [];

  constructor(negated: boolean) {
    this.negated = negated;
  }

  add(operand: SearchQuery): void {
    this.#operands.push(operand);
  }

  /** What follows is an alternative to all so far. */
  or(): void {
    if (this.#operands.length > 0) this.#alternatives.push(join("and", this.#operands));
    this.#operands = [];
  }

  /** What was read; undefined when there was nothing in it. */
  close(): SearchQuery | undefined {
    this.or();
    return this.#alternatives.length === 0 ? undefined : join("or", this.#alternatives);
  }
}

/** Ends every word; a name also ends at a colon, a term of an attribute at a comma. */
const ends = /[\s()&|!"]/;
const nameEnds = /[\s()&|!":]/;
const termEnds = /[\s()&|!",]/;
const blank = /\s/;

class Parser {
  readonly #text: string;
  readonly #at: string;
  readonly #pieces: SearchQuery[] = [];
  /** The piece that is being read, then its open groups, innermost last. */
  #open: Group[] = [new Group(false)];
  #position = 0;
  /** Whether something separates what comes from what was before. */
  #free = true;
  #negated = false;
  /** Whether `()` was just read. */
  #afterEmpty = false;

  constructor(text: string, at: string) {
    this.#text = text;
    this.#at = at;
  }

  parse(): SearchQuery {
    while (this.#position < this.#text.length) this.#step(this.#text.charAt(this.#position));
    this.#endPiece();
    return join("and", this.#pieces);
  }

  #step(character: string): void {
    if (blank.test(character) || character === "&" || character === "|") {
      // A `!` reaches its operand over blanks only.
      if (!blank.test(character)) this.#negated = false;
      if (character === "|") this.#inner().or();
      this.#separate();
    } else if (character === ")") {
      this.#negated = false;
      this.#position++;
      if (this.#open.length > 1) this.#closeGroup();
      else this.#endPiece();
    } else {
      this.#beginOperand(character);
      if (character === "!") {
        this.#position++;
        this.#negated = !this.#negated;
      } else if (character === "(") {
        this.#position++;
        this.#open.push(new Group(this.#takeNegation()));
      } else this.#add(character === '"' ? this.#quoted() : this.#word(), this.#takeNegation());
    }
  }

  #separate(): void {
    this.#position++;
    this.#free = true;
    this.#afterEmpty = false;
  }

  /** What stands right next to something, without a separator, begins a piece of its own, outside of every group. */
  #beginOperand(character: string): void {
    if (this.#free) return;
    if (this.#afterEmpty) {
      refuse(
        "invalidRequest",
        `${this.#at}: expected a blank, & or | after the empty group at position ${this.#position + 1}, found ${JSON.stringify(character)}`,
      );
    }
    this.#endPiece();
  }

  #takeNegation(): boolean {
    const negated = this.#negated;
    this.#negated = false;
    return negated;
  }

  #add(operand: SearchQuery, negated: boolean): void {
    this.#inner().add(negated ? negate(operand) : operand);
    this.#free = false;
    this.#afterEmpty = false;
  }

  #inner(): Group {
    return this.#open.at(-1) ?? new Group(false);
  }

  #closeGroup(): void {
    const group = this.#open.pop();
    const read = group?.close();
    if (read !== undefined) this.#add(read, group?.negated === true);
    else {
      this.#free = false;
      this.#afterEmpty = true;
    }
  }

  /** Closes what is open; a missing parenthesis is no mistake. */
  #endPiece(): void {
    while (this.#open.length > 1) this.#closeGroup();
    const piece = this.#inner().close();
    if (piece !== undefined) this.#pieces.push(piece);
    this.#open = [new Group(false)];
    this.#free = true;
    this.#negated = false;
    this.#afterEmpty = false;
  }

  #quoted(): SearchQuery {
    return { does: "component", term: this.#quotedTerm() };
  }

  /** A text in quotes: whole when they are closed, else only its beginning. */
  #quotedTerm(): Term {
    const from = this.#position + 1;
    const end = this.#text.indexOf('"', from);
    this.#position = end < 0 ? this.#text.length : end + 1;
    return end < 0
      ? { how: "begins", text: this.#text.slice(from) }
      : { how: "equals", text: this.#text.slice(from, end) };
  }

  #word(): SearchQuery {
    const from = this.#position;
    const name = this.#until(nameEnds);
    if (this.#text.charAt(this.#position) !== ":") return plain(name);
    if (this.#text.charAt(this.#position + 1) === ":") {
      // `AWS::EC2::Instance` is one word.
      this.#until(ends);
      return plain(this.#text.slice(from, this.#position));
    }
    this.#position++;
    return { does: "attribute", name: asciiLower(name), terms: this.#terms() };
  }

  #terms(): Term[] {
    const terms: Term[] = [];
    for (;;) {
      if (this.#text.charAt(this.#position) === '"') terms.push(this.#quotedTerm());
      else {
        const text = this.#until(termEnds);
        if (text !== "") terms.push({ how: "contains", text });
      }
      const separator = this.#text.charAt(this.#position);
      if (separator !== "|" && separator !== ",") return terms;
      this.#position++;
    }
  }

  /** The text from here up to one of these characters. */
  #until(end: RegExp): string {
    const from = this.#position;
    while (this.#position < this.#text.length && !end.test(this.#text.charAt(this.#position)))
      this.#position++;
    return this.#text.slice(from, this.#position);
  }
}

const plain = (text: string): SearchQuery => ({ does: "component", term: { how: "contains", text } });

const negate = (query: SearchQuery): SearchQuery =>
  query.does === "not" ? query.part : { does: "not", part: query };

/** Joins parts, without a level of its own where it can do without. */
function join(does: "and" | "or", parts: readonly SearchQuery[]): SearchQuery {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  return { does, parts: parts.flatMap((part) => (part.does === does ? part.parts : [part])) };
}
