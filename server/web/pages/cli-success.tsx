import type { Page } from "../page-row.ts";

/** Where the terminal's listener sends the browser once it has what it asked for. */
export const cliSuccessPage: Page = {
  path: "/cli/success",
  access: "anyone",
  show: () => ({
    title: "Your terminal is signed in",
    narrow: true,
    main: (
      <>
        <p>You can close this page and go on in the terminal.</p>
        <p>
          The key that it made is among <a href="/keys">your keys</a>, where you can revoke it.
        </p>
      </>
    ),
  }),
};
