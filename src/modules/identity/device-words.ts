/** Browsers by their user-agent token, most specific first. */
const BROWSERS = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser', 'Samsung Internet'],
  ['Firefox', 'Firefox'],
  ['FxiOS', 'Firefox'],
  ['CriOS', 'Chrome'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
] as const
const SYSTEMS = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['CrOS', 'Chromebook'],
  ['Mac OS X', 'Mac'],
  ['Linux', 'Linux'],
] as const

/**
 * Describes a user agent, for example `Firefox on Windows`. HTTP clients that are not browsers are described by their
 * own name.
 */
export function describeDevice(agent: string): string {
  const browser = BROWSERS.find(([mark]) => agent.includes(mark))?.[1]
  const system = SYSTEMS.find(([mark]) => agent.includes(mark))?.[1]
  return browser && system ? `${browser} on ${system}` : (browser ?? system ?? (agent.slice(0, 60) || 'Unknown device'))
}
