/** People by name: for papers that say who did what, and for whoever signs. */
export { accountsCalled, type Called, readNames } from './people/names.server.ts'
