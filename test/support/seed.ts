import fc from 'fast-check'
import { IS_FULL_RUN, TEST_SEED } from './scope.ts'

// Properties without a database are cheap: a hundred runs each in `npm test`. Those with a database state their number
// (`runs`).
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: TEST_SEED, numRuns: IS_FULL_RUN ? 1000 : 100 })
