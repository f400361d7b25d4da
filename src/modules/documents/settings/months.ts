/** Formats a number of months, such as `a year`, `2 years` or `18 months`. */
export const formatMonths = (months: number): string =>
  months === 1 ? 'a month' : months === 12 ? 'a year' : months % 12 === 0 ? `${months / 12} years` : `${months} months`
