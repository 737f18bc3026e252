import { checkDisplayName, checkEmail, checkPassword, checkUsername } from "../domain/accounts.ts";
import { refusalOf } from "../refusal-of.ts";

/** Who the first owner is to be. */
export interface OwnerToBe {
  readonly name: string;
  readonly email: string;
  readonly username: string;
  readonly password: string;
}

/** Refuses, before there is any database, what the making of the account would refuse as malformed. */
export function checkOwner({ name, email, username, password }: OwnerToBe): void {
  try {
    checkDisplayName(name);
    checkEmail(email);
    checkPassword(password);
    checkUsername(username);
  } catch (error) {
    throw refusalOf(error) ?? error;
  }
}
