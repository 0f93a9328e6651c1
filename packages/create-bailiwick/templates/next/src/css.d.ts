/** Next bundles the style sheets that pages import. */
declare module "*.css";
