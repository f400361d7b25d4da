import { startTestFile } from './portal.ts'

// This file runs before each test file that shares a database.
await startTestFile()
