/** The title and description of the site, for pages without their own. */
export const site = {
  siteTitle: "Bailiwick",
  siteDescription: "A TypeScript framework for agents that act.",
};
