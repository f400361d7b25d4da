import { SAMPLE_MERGE_VALUES } from '#modules/people/contracts/merge-fields.ts'
import { renderContract } from '#modules/people/contracts/print.server.ts'
import { contractDigest, fillContract } from '#modules/people/contracts/values.server.ts'
import { sampleDocumentFrame } from './samples.ts'

const TEXT = `<p>{{company}}, {{company address}}, employs {{name}} as {{job title}}.</p>
<p><strong>Start</strong><br />Your employment begins on {{start date}}. No employment with another employer counts towards it.</p>
<p><strong>Place of work</strong><br />You work at {{site}} and report to {{manager}}.</p>
<ul><li>Sickness: tell your manager <em>before</em> your shift begins.</li><li>Notice: one week in the first two years.</li></ul>
<ol><li>You are paid £16.40 an hour.</li><li>You have 5.6 weeks of paid leave a year.</li></ol>
<blockquote><p>Procedures for discipline and grievances are in the handbook.</p></blockquote>`

const { brand, client, signatures } = sampleDocumentFrame
const NUMBER = 'EC-0042'
const sent = {
  title: 'Contract of employment',
  employeeName: SAMPLE_MERGE_VALUES.name,
  body: fillContract({ body: TEXT }, SAMPLE_MERGE_VALUES.name, SAMPLE_MERGE_VALUES).body,
}
const digest = contractDigest(NUMBER, sent)

/** Scales the drawing of a sample to points between 0 and 1, as signatures are stored. */
const drawing = (signatures[0]?.strokes ?? []).map((line) => line.map(([x, y]): [number, number] => [x / 300, y / 90]))

/** A contract of an employee who signed by link, countersigned by a typed name. */
export const renderSampleContract = (): Promise<Buffer> =>
  renderContract({
    clientId: 1042,
    letterhead: { client: { name: client.name, address: 'Unit 7, Tannery Lane, Norwich, NR3 1AA' }, brand },
    logo: client.logo,
    sender: 'Ruth Sanderson',
    row: {
      ...sent,
      number: NUMBER,
      templateVersion: 3,
      digest,
      createdAt: '2026-08-24T09:12:31Z',
      author: 'ruth.sanderson',
      email: 'ann@carter.example',
      emailedAt: '2026-08-24T09:12:40Z',
      openedAt: '2026-08-24T17:40:02Z',
    },
    signatures: [
      {
        role: 'Employee',
        account: '',
        signature: {
          name: 'Ann Carter',
          method: 'finger',
          strokes: drawing,
          width: 300,
          height: 90,
          at: '2026-08-24T17:52:10Z',
          username: '',
          email: 'ann@carter.example',
          address: '192.0.2.14',
          agent:
            'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
          digest,
        },
      },
      {
        role: 'For the company',
        account: 'Grace Webb',
        signature: {
          name: 'Grace Webb',
          method: 'typed',
          strokes: [],
          width: 0,
          height: 0,
          at: '2026-08-25T08:01:55Z',
          username: 'grace.webb',
          email: '',
          address: '2001:db8::17',
          agent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
          digest,
        },
      },
    ],
  })
