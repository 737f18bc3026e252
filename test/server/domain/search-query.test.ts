import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Refusal } from "../../../server/domain/refusal.ts";
import { parseSearch, type SearchQuery, type Term } from "../../../server/domain/search-query.ts";

const termText = ({ how, text }: Term): string =>
  how === "contains" ? text : how === "equals" ? `=${text}=` : `^${text}`;

/** A query as it was understood, fully bracketed. */
function shown(query: SearchQuery): string {
  switch (query.does) {
    case "not":
      return `NOT ${shown(query.part)}`;
    case "component":
      return termText(query.term);
    case "attribute":
      return `${query.name}:[${query.terms.map(termText).join(" ")}]`;
    default:
      return query.parts.length === 0
        ? "ALL"
        : `(${query.parts.map(shown).join(query.does === "and" ? " AND " : " OR ")})`;
  }
}
const read = (text: string): string => shown(parseSearch(text, "query.q"));

describe("a query is read", () => {
  it.each([
    // Everything.
    ["", "ALL"],
    ["   ", "ALL"],
    ["()", "ALL"],
    ["( )", "ALL"],
    ["(())", "ALL"],
    ["!", "ALL"],
    ["&|&", "ALL"],
    [")", "ALL"],
    ["!()", "ALL"],
    // Words, blanks and &.
    ["a", "a"],
    ["a b", "(a AND b)"],
    ["a & b", "(a AND b)"],
    ["a&b", "(a AND b)"],
    ["a  &&\t b\nc", "(a AND b AND c)"],
    ["a,b*", "a,b*"],
    // Alternatives bind least, ! binds the next atom only.
    ["a|b", "(a OR b)"],
    ["a b | c d", "((a AND b) OR (c AND d))"],
    ["a|b|c", "(a OR b OR c)"],
    ["!a b", "(NOT a AND b)"],
    ["! a", "NOT a"],
    ["!!a", "a"],
    ["!!!a", "NOT a"],
    ["!(a b)", "NOT (a AND b)"],
    ["!(!(!a))", "NOT a"],
    ["!n:a|b", "NOT n:[a b]"],
    // Parentheses; a missing one is no mistake.
    ["(a|b) c", "((a OR b) AND c)"],
    ["(a|b", "(a OR b)"],
    ["((a|b) c | d", "(((a OR b) AND c) OR d)"],
    ["(a", "a"],
    // Quotes protect everything, an open one means a beginning.
    ['"a"', "=a="],
    ['"a', "^a"],
    ['"a|b, (c) d:e!"', "=a|b, (c) d:e!="],
    ['""', "=="],
    ['"', "^"],
    // Attributes.
    ["name:a", "name:[a]"],
    ["NaMe:VaL", "name:[VaL]"],
    ["name:", "name:[]"],
    ["name: a", "(name:[] AND a)"],
    [":a", ":[a]"],
    ["/domain/Group/Name:x", "/domain/group/name:[x]"],
    ["n:a|b", "n:[a b]"],
    ["n:a,b", "n:[a b]"],
    ["n:a,|b", "n:[a b]"],
    ["n:|a", "n:[a]"],
    ["n:a|", "n:[a]"],
    ['n:"a b"|c', "n:[=a b= c]"],
    ['n:"a', "n:[^a]"],
    ['n:a|"b, c"', "n:[a =b, c=]"],
    ['n:""', "n:[==]"],
    ["x | n:a|b | y", "(x OR n:[a b] OR y)"],
    ["n:a | b", "(n:[a] OR b)"],
    ["n:a| b", "(n:[a] AND b)"],
    ["n:a|m:b", "n:[a m:b]"],
    ["schema:AWS::EC2::Instance", "schema:[AWS::EC2::Instance]"],
    ["n:a*b", "n:[a*b]"],
    // A word with :: is one word.
    ["AWS::EC2::Instance", "AWS::EC2::Instance"],
    ["AWS::EC2:x y", "(AWS::EC2:x AND y)"],
    ["::a", "::a"],
    ["a:::b", "a:::b"],
    // What has nothing between it begins anew at the top: both must hold.
    ['ab"cd"', "(ab AND =cd=)"],
    ['"ab"cd', "(=ab= AND cd)"],
    ["a(b)", "(a AND b)"],
    ["(a)b", "(a AND b)"],
    ["a!b", "(a AND NOT b)"],
    ["!a!b", "(NOT a AND NOT b)"],
    ["a | b(c)", "((a OR b) AND c)"],
    ["a)b", "(a AND b)"],
    ["a ) | b", "(a AND b)"],
    ["a | b) c | d", "((a OR b) AND (c OR d))"],
    ['(a b"c" | d) e', "(a AND b AND (=c= OR d) AND e)"],
    ["((a!b) c) d", "(a AND NOT b AND c AND d)"],
    ['n:a"b"', "(n:[a] AND =b=)"],
    ['n:"a"b', "(n:[=a=] AND b)"],
    ["n:!a", "(n:[] AND NOT a)"],
    ["n:(a)", "(n:[] AND a)"],
    // Empty operands vanish.
    ["a & ", "a"],
    ["| a", "a"],
    ["a |", "a"],
    ["a | | b", "(a OR b)"],
    ["a & | b", "(a OR b)"],
    ["! | a", "a"],
    ["!& a", "a"],
    ["a | ()", "a"],
    ["() a", "a"],
    ["()|a", "a"],
    ["a ()", "a"],
    ["(a ())b", "(a AND b)"],
    ["(a !)b", "(a AND b)"],
  ])("%j as %s", (text, understood) => {
    expect(read(text)).toBe(understood);
  });

  it.each([
    ["()a", 3, "a"],
    ["(()a)", 4, "a"],
    ["!()a", 4, "a"],
    ["()(a)", 3, "("],
    ['x ()"a"', 5, '"'],
    ["()!a", 3, "!"],
    ["( )a", 4, "a"],
    ["(())a", 5, "a"],
  ])("%j is refused at its position", (text, position, found) => {
    const reading = (): unknown => parseSearch(text, "body.queryString");
    expect(reading).toThrow(Refusal);
    expect(reading).toThrow(
      `body.queryString: expected a blank, & or | after the empty group at position ${position}, found ${JSON.stringify(found)}`,
    );
  });

  it("whatever it is: it has a meaning, or a position where it has none", () => {
    const piece = fc.constantFrom(...'()!&|" :,*ab', "::", "name:", "\u00e4", "\u{1f600}");
    const text = fc.oneof(
      fc.array(piece, { maxLength: 40 }).map((all) => all.join("")),
      fc.string(),
    );
    fc.assert(
      fc.property(text, (query) => {
        try {
          read(query);
        } catch (error) {
          expect(error).toMatchObject({
            error: "invalidRequest",
            message: expect.stringContaining("position"),
          });
          expect(query).toMatch(/\([\s()&|!]*\)[^\s&|)]/);
        }
      }),
      { numRuns: 5_000 },
    );
  });

  it.each([
    ["parentheses", "(".repeat(4_000)],
    ["parentheses around a word", `${"(".repeat(2_000)}a${")".repeat(2_000)}`],
    ["negations", "!".repeat(4_000)],
    ["negated groups", `${"!(".repeat(1_300)}a${")".repeat(1_300)}`],
    ["nested alternatives", `${"(a|(b ".repeat(660)}`],
    ["quotes", '"'.repeat(4_000)],
    ["alternatives", "a|".repeat(2_000)],
    ["colons", ":".repeat(4_000)],
    ["separators", "n:,|".repeat(1_000)],
  ])("without trouble: %s", (_what, text) => {
    expect(read(text).length).toBeGreaterThan(0);
  });
});
