import { nextFile } from './portal.ts'

// Before each file of those that share a database.
await nextFile()
