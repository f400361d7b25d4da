/** What a client has of each product, to be changed. */
export { Packs } from './directory/packs.web.tsx'
/** The logo and the lines of a company's papers, with a sample page. */
export { Papers } from './letterhead/papers.web.tsx'
