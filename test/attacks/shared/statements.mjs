// A company whose reader of health details asks witnesses of incidents for statements by link.
import { PDFiumLibrary } from '@hyzyla/pdfium'
import { addressOf, dayIn, mailedToken, mergePatch, need, newCompany, newUser, signInManager } from './company.mjs'
import { anonymous, run } from './links.mjs'

export const S = '/api/safety'
export const REPORTS = `${S}/incident_reports`
export const REQUESTS = `${S}/incident_statement_requests`
export const WORDS = 'The ladder was not tied.'

export const manager = await signInManager()
export const company = await newCompany(manager, 't')
export const { admin } = company
await admin.proveIdentity()
export const worker = await newUser(manager, company, 'worker', 'Will Worker', ['ROLE_EMPLOYEE'])
export const reader = await newUser(manager, company, 'reader', 'Rita Reader', [
  'ROLE_CLIENT_ADMIN',
  'ROLE_INCIDENT_READER',
])

export const incident = (values = {}) => ({
  description: `Links ${run}`,
  datetime: `${dayIn(-1)}T10:00:00Z`,
  addressLine1: '1 Site Road',
  city: 'Leeds',
  county: 'West Yorkshire',
  noPostcode: true,
  nation: 'greatBritain',
  internalLocation: 'Yard',
  reportedBy: 'Dawn',
  state: 'reported',
  personnel: [{ recordType: 'WT', name: 'Wanda Witness' }],
  answers: { workRelated: 'yes', occurrence: 'no', gasSupplier: 'no', gasFitting: 'no' },
  ...values,
})
export const injured = (values = {}) => ({
  recordType: 'IP',
  name: 'Ivor Injured',
  description: 'Broken leg',
  statement: 'I fell.',
  harm: 'injured',
  specified: ['a'],
  answers: { armedForces: 'no', medicalTreatment: 'no', roadVehicle: 'no' },
  injuryEffect: [4],
  sex: 1,
  dateOfBirth: '1980-02-28',
  jobClass: `${S}/incident_jobclasses/1`,
  payroll: 'X1',
  jobTitle: 'Roofer',
  incidentType: `${S}/incident_types/2`,
  mainFactor: `${S}/incident_mainfactors/1`,
  telephone: '01632 960001',
  injurySustained: `${S}/incident_injury_sustaineds/3`,
  bodyPart: `${S}/incident_bodyparts/2`,
  severity: `${S}/incident_severities/2`,
  address1: '9 Private Street',
  city: 'Leeds',
  county: 'West Yorkshire',
  postcode: 'LS1 4AP',
  ...values,
})
export const report = async (values, who = reader) => need(await who.post(REPORTS, incident(values)), 201)
export const change = (path, fields, who = reader) => who.patch(path, fields, mergePatch)
export const eventsOf = async (one) => (await reader.get(`${S}/incident_events?report=${one.id}&itemsPerPage=100`)).text

let asked = 0

/** Reports an incident with a witness, and asks the witness for a statement by link. */
export async function newStatement({ who = reader, values, email = addressOf(`witness-${++asked}`) } = {}) {
  const one = await report(values, who)
  const person = one.personnel.find(({ recordType }) => recordType === 'WT')['@id']
  const request = need(await reader.post(REQUESTS, { person, email }), 201)['@id']
  const at = `${S}/linked_statements/${await mailedToken(email)}`
  return {
    one,
    url: one['@id'],
    person,
    request,
    email,
    at,
    page: async () => (await anonymous('GET', at)).body,
    give: (statement = WORDS) => anonymous('POST', `${at}/statement`, { statement }),
    change: (fields) => change(one['@id'], { personnel: [{ '@id': person, ...fields }] }),
    row: async () => (await reader.get(person)).body,
    state: async () => (await reader.get(request)).body.state,
  }
}
export async function newReceived(options) {
  const statement = await newStatement(options)
  need(await statement.give())
  return statement
}

/** Reads the text of the accident record of an incident, which is a PDF file. */
export async function accidentRecord(url, who) {
  const headers = { authorization: `Bearer ${who.token}` }
  const answer = await fetch(new URL(`${url}/accident-record.pdf`, process.argv[2]), { headers })
  if (answer.status !== 200) return String(answer.status)
  const library = await PDFiumLibrary.init()
  const pdf = await library.loadDocument(Buffer.from(await answer.arrayBuffer()))
  const text = [...pdf.pages()].map((page) => page.getText()).join(' ')
  pdf.destroy()
  library.destroy()
  return text.replace(/\s+/g, ' ')
}
