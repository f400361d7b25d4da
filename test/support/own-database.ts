import { closeTestDatabase } from './portal.ts'

// This file runs before each test file that has a separate database.
await closeTestDatabase()
