import { beginComputation, type FunctionCall, type Work } from "../domain/computation.ts";
import { type Settled, settleCall } from "../domain/computed-results.ts";
import { carriedSecrets } from "../domain/driven-values.ts";
import type { Binding, StoredFunction } from "../domain/functions.ts";
import { transform } from "../domain/intrinsics.ts";
import type { Json } from "../domain/json.ts";
import type { Vals } from "../domain/values.ts";
import { bindingsFor, bindingsOfSchemas, findFunctions } from "../read/functions.ts";
