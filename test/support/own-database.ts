import { leaveDatabase } from './portal.ts'

// Before each file that has a database to itself.
await leaveDatabase()
