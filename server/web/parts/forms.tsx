import type { ComponentChildren, VNode } from "preact";

/** The hidden member of every form that proves it came from a page of this server. */
export const csrfField = "csrf";

/** See {@link csrfField}. */
export const Csrf = ({ token }: { readonly token: string | undefined }): VNode | null =>
  token === undefined ? null : <input type="hidden" name={csrfField} value={token} />;

/** A form of several fields that does `act` on the page it stands on. */
export function Form({
  act,
  csrf,
  submit,
  danger = false,
  hidden = {},
  label,
  children,
}: {
  readonly act: string;
  readonly csrf: string;
  /** What the button says. */
  readonly submit: string;
  readonly danger?: boolean;
  readonly hidden?: Readonly<Record<string, string>>;
  /** What the form is called by a screen reader, where no heading does. */
  readonly label?: string;
  readonly children?: ComponentChildren;
}): VNode {
  return (
    <form class="stack" method="post" {...(label === undefined ? {} : { "aria-label": label })}>
      <Hidden act={act} csrf={csrf} hidden={hidden} />
      {children}
      <div>
        <button type="submit" class={danger ? "danger" : "main"}>
          {submit}
        </button>
      </div>
    </form>
  );
}

/** A button that does `act` on the page it stands on; `of` names what it is done to, for who does not see the row. */
export function ActButton({
  act,
  csrf,
  submit,
  of,
  danger = false,
  hidden = {},
}: {
  readonly act: string;
  readonly csrf: string;
  readonly submit: string;
  readonly of: string;
  readonly danger?: boolean;
  readonly hidden?: Readonly<Record<string, string>>;
}): VNode {
  return (
    <form method="post">
      <Hidden act={act} csrf={csrf} hidden={hidden} />
      <button type="submit" class={danger ? "danger" : undefined} aria-label={`${submit} ${of}`}>
        {submit}
      </button>
    </form>
  );
}

const Hidden = ({
  act,
  csrf,
  hidden,
}: {
  readonly act: string;
  readonly csrf: string;
  readonly hidden: Readonly<Record<string, string>>;
}): VNode => (
  <>
    <Csrf token={csrf} />
    <input type="hidden" name="act" value={act} />
    {Object.entries(hidden).map(([name, value]) => (
      <input key={name} type="hidden" name={name} value={value} />
    ))}
  </>
);

/** A labelled input; `name` is unique on its page. */
export function Field({
  name,
  label,
  hint,
  type = "text",
  value,
  required = true,
  autocomplete = "off",
  ...bounds
}: {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly type?: "text" | "email" | "password" | "date" | "number";
  readonly value?: string | undefined;
  readonly required?: boolean;
  readonly autocomplete?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly min?: string;
  readonly pattern?: string;
  /** Unique on the page where two forms have a field of one name. */
  readonly id?: string;
}): VNode {
  const { id = `field-${name}`, ...limits } = bounds;
  const hinted: { readonly "aria-describedby"?: string } =
    hint === undefined ? {} : { "aria-describedby": `${id}-hint` };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {/* One element for all types: preact's own types tell each type's roles apart, and none is given here. */}
      <input
        id={id}
        name={name}
        type={type as "text"}
        value={value}
        required={required}
        autocomplete={autocomplete}
        {...limits}
        {...hinted}
      />
      {hint === undefined ? null : <small id={`${id}-hint`}>{hint}</small>}
    </div>
  );
}

/** A labelled choice of a few words. */
export function Choice({
  name,
  label,
  options,
  value,
  id = `field-${name}`,
}: {
  readonly name: string;
  readonly label: string;
  /** Value and words of each. */
  readonly options: readonly (readonly [string, string])[];
  readonly value?: string | undefined;
  readonly id?: string;
}): VNode {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} name={name}>
        {options.map(([option, words]) => (
          <option key={option} value={option} selected={option === value}>
            {words}
          </option>
        ))}
      </select>
    </div>
  );
}

/** A labelled box to tick; the form carries `on` where it is. */
export const Check = ({
  name,
  label,
  checked,
}: {
  readonly name: string;
  readonly label: string;
  readonly checked: boolean;
}): VNode => (
  <label class="check">
    <input type="checkbox" name={name} checked={checked} />
    {label}
  </label>
);
