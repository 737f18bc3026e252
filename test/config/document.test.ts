import { expect, it } from "vitest";
import { settingsDocument } from "../../src/config/document.ts";

it("every setting and variable stands in config.md as the table has it", async () => {
  await expect(settingsDocument()).toMatchFileSnapshot("../golden/config.md");
});
