/** The logo and the lines of a company's papers, with a sample page. */
export { Papers } from './letterhead/papers.web.tsx'
