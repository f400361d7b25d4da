import fc from 'fast-check'
import { IS_ALL, SEED } from './scope.ts'

// Properties with values alone cost little: a hundred runs each in `npm test`. Those with a database say how many (`runs`).
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED, numRuns: IS_ALL ? 1000 : 100 })
