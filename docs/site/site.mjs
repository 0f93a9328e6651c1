/** The title and the description that the site has, for pages that bring none. */
export const site = {
  siteTitle: "Bailiwick",
  siteDescription: "A TypeScript framework for agents that act.",
};
