import { AssetBuilder } from "./asset-builder.ts";
import { PropBuilder, PropWidgetDefinitionBuilder } from "./prop-builders.ts";
import { SecretDefinitionBuilder, SecretPropBuilder } from "./secret-builders.ts";
import {
  MapKeyFuncBuilder,
  SiPropValueFromDefinitionBuilder,
  SocketDefinitionBuilder,
  ValueFromBuilder,
} from "./value-builders.ts";

/** The globals of schema definitions. */
export const library: unknown = {
  AssetBuilder,
  PropBuilder,
  SecretDefinitionBuilder,
  SecretPropBuilder,
  ValueFromBuilder,
  SocketDefinitionBuilder,
  MapKeyFuncBuilder,
  PropWidgetDefinitionBuilder,
  SiPropValueFromDefinitionBuilder,
};
