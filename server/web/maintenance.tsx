import { documentOf } from "./parts/document.tsx";

/** What a person with a browser reads while the server is in maintenance. */
export const maintenancePage = (sentence: string): string =>
  documentOf(
    { title: "svc", narrow: true },
    <>
      <p>{sentence.charAt(0).toUpperCase() + sentence.slice(1)}</p>
      <p>Try again in a few minutes.</p>
    </>,
  );
