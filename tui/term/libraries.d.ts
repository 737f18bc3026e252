// biome-ignore-all lint/style/noDefaultExport: this is how the libraries export
// Single files of the two terminal libraries, which ship no types of their own for them.
declare module "blessed/lib/widgets/screen.js" {
  const screen: unknown;
  export default screen;
}
declare module "blessed/lib/tput.js" {
  const tput: unknown;
  export default tput;
}
declare module "blessed-contrib/lib/widget/charts/line.js" {
  const line: unknown;
  export default line;
}
declare module "blessed-contrib/lib/widget/sparkline.js" {
  const sparkline: unknown;
  export default sparkline;
}
declare module "blessed/lib/program.js" {
  const program: unknown;
  export default program;
}
