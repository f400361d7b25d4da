/**
 * What was asked for in this turn of the loop is on its way: whoever waits for it does what needs no answer meanwhile, while the
 * database works.
 */
export const onItsWay = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve))
