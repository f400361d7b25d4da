import { expect, test } from 'vitest'
import { describeDevice } from './device-words.ts'

const MOZILLA = 'Mozilla/5.0'
const KIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test.each([
  [`${MOZILLA} (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0`, 'Firefox on Windows'],
  [`${MOZILLA} (Windows NT 10.0; Win64; x64) ${KIT} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`, 'Edge on Windows'],
  [`${MOZILLA} (Macintosh; Intel Mac OS X 10_15_7) ${KIT} Version/18.5 Safari/605.1.15`, 'Safari on Mac'],
  [
    `${MOZILLA} (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${KIT} CriOS/140.0 Mobile/15E148 Safari/604.1`,
    'Chrome on iPhone',
  ],
  [
    `${MOZILLA} (Linux; Android 15; K) ${KIT} SamsungBrowser/28.0 Chrome/130.0 Mobile Safari/537.36`,
    'Samsung Internet on Android',
  ],
  [`${MOZILLA} (X11; CrOS x86_64 14541.0.0) ${KIT} Chrome/140.0.0.0 Safari/537.36`, 'Chrome on Chromebook'],
  ['curl/8.14.1', 'curl/8.14.1'],
  ['', 'Unknown device'],
])('the user agent %s is described in words', (agent, words) => {
  expect(describeDevice(agent)).toBe(words)
})
