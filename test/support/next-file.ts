import { startTestFile } from './portal.ts'

// Runs before each test file that shares a database.
await startTestFile()
