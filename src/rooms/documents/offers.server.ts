/** Templates of a kind: for the area that declares the kind. */
export { addTemplates, templateWords } from './life/templates.server.ts'
