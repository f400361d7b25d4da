/** Label of a role: `ROLE_SITE_MANAGER` becomes "Site manager". */
export function roleLabel(role: string): string {
  const words = role
    .replace(/^ROLE_/, '')
    .replaceAll('_', ' ')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
