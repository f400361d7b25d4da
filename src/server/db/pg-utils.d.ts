/** How the driver makes text of the values of a statement: a part of it that its own types leave out. */
declare module 'pg/lib/utils.js' {
  export const prepareValue: (value: unknown) => Buffer | string | null
}
