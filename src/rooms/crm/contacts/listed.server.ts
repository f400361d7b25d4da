/** A collection that comes whole, under an address of its own. */
export const listed = (url: string, members: readonly unknown[], total: number | undefined) => ({
  '@id': url,
  '@type': 'hydra:Collection',
  ...(total === undefined ? {} : { 'hydra:totalItems': total }),
  'hydra:member': members,
})
