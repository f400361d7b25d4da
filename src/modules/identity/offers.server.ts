/** Login details: of a client's first administrator, sent by whoever sets the client up, and of whoever is made in the same transaction. */
export { inviteNew, sendFirstLogin } from './passwords/first-login.server.ts'
/** A client's first administrator, made by whoever sets the client up. */
export { administratorOf, SETS_UP, setUpAdministrator } from './people/first-administrator.server.ts'
/** People by name: for papers that say who did what, and for whoever signs. */
export { accountsCalled, type Called, readNames } from './people/names.server.ts'
