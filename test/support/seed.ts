import fc from 'fast-check'
import { IS_FULL_RUN, TEST_SEED } from './scope.ts'

// Properties without a database are cheap, so they get a hundred runs each in `npm test`. Properties with a database
// set their own number (`runs`).
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: TEST_SEED, numRuns: IS_FULL_RUN ? 1000 : 100 })
