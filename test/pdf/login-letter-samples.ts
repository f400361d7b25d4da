import { renderLoginLetters } from '#modules/people/logins/login-letter.server.ts'
import { sampleDocumentFrame } from './samples.ts'

const { brand, client } = sampleDocumentFrame

/** Letters to two employees, of whom one has a long name. */
export const renderSampleLetters = (): Promise<Buffer> =>
  renderLoginLetters({
    clientId: 1042,
    sender: { brand, client: { ...client, logo: client.logo } },
    address: 'https://portal.example/first-sign-in',
    until: '2026-12-07',
    letters: [
      { name: 'Dafydd ap Rhys', username: 'dafydd.ap.rhys', code: 'K7QM-4XRT' },
      {
        name: `Maria ${'Fernandes '.repeat(9)}da Silva`,
        username: `maria.${'fernandes.'.repeat(8)}silva2`,
        code: 'WWWW-MMMM',
      },
    ],
  })
