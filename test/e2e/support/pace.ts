/** How many times slower every page's processor is made: `PACE=8 npx playwright test`. Whatever waits, waits as much longer. */
export const PACE = Number(process.env.PACE ?? 1)
