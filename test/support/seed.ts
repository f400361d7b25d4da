import fc from 'fast-check'
import { IS_ALL, SEED } from './scope.ts'

// Properties without a database are cheap: a hundred runs each in `npm test`. Those with a database state their number
// (`runs`).
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED, numRuns: IS_ALL ? 1000 : 100 })
