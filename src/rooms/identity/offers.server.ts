/** People by name: for papers that say who did what. */
export { readNames } from './people/names.server.ts'
