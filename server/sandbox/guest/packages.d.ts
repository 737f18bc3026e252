// Packages without types of their own; only functions inside the engine see what they export.
declare module "lodash";
declare module "js-yaml";
