import { leaveDatabase } from './portal.ts'

// Runs before each test file with its own database.
await leaveDatabase()
