import { leaveDatabase } from './portal.ts'

// Before each file of those that look at the whole database.
await leaveDatabase()
