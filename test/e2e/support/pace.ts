/**
 * CPU slowdown factor for every page, set by `PACE=8 npx playwright test`. Timeouts are extended by the same factor.
 */
export const SLOWDOWN_FACTOR = Number(process.env.PACE ?? 1)
