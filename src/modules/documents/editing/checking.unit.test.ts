import { describe, expect, test } from 'vitest'
import { riskAssessment } from '#modules/safety/risk/risk-assessment.ts'
import { toolboxTalk } from '#modules/safety/talks/toolbox-talk.ts'
import { checkCompletion, describeSealedAttachments } from './completion-check.ts'

const HAZARD = {
  hazardName: 'Falls from the roof',
  controlName: 'Rails',
  tier: 'engineering',
  judged: true,
  probability: 4,
  severity: 5,
  residualProbability: 1,
  residualSeverity: 5,
}
const ASSESSMENT = {
  description: 'Roof repairs',
  location: 'Unit 4',
  groupsAffected: ['Employees'],
  controls: [HAZARD],
}
const emptyIn = (record: object) =>
  checkCompletion(riskAssessment, { ...ASSESSMENT, ...record }).empty.map(({ step, fields }) => [step, fields.length])

describe('the check before completion', () => {
  test('missing fields are listed separately from copied answers to confirm', () => {
    const check = checkCompletion(riskAssessment, {
      ...ASSESSMENT,
      groupsAffected: [],
      copiedFrom: 'RA-0001 revision 1',
      unconfirmed: ['location'],
      controls: [{ ...HAZARD, unconfirmed: true, residualProbability: null }],
    })
    expect(check.missing.map((v) => v.propertyPath)).toEqual(['groupsAffected', 'controls[0].residualProbability'])
    expect(check.missing[1]?.message).toMatch(/^Falls from the roof: /)
    expect(check.unconfirmed.map((v) => v.message)).toEqual([
      'Falls from the roof: copied from RA-0001 revision 1: is this still correct?',
      'Copied from RA-0001 revision 1: is this still correct?',
    ])
  })

  test('empty optional fields are listed by step until they are filled in', () => {
    expect(emptyIn({})).toEqual([
      ['details', 9],
      ['people', 3],
      ['ppe', 1],
      ['method', 2],
      ['files', 3],
    ])
    expect(emptyIn({ methodStatement: { taskSelection: [] }, ppe: [], ppeItems: [] })).toContainEqual(['method', 2])
    expect(
      emptyIn({
        methodStatement: { defaultStatements: [{ '@id': '/1', title: 'Sort order', text: '' }] },
        ppeItems: [{ id: 1, label: 'Helmet' }],
        personsAffected: 0,
      }),
    ).toEqual([
      ['details', 9],
      ['people', 2],
      ['method', 1],
      ['files', 3],
    ])
  })

  test('sealed files and references are counted for every document type', () => {
    const files = ['/api/safety/uploaded_documents/1', { '@id': '/api/safety/uploaded_documents/2', label: 'Plan' }]
    expect(describeSealedAttachments(toolboxTalk, { uploadedDocuments: files })).toEqual(['2 pictures and files'])
    expect(describeSealedAttachments(riskAssessment, { image: '/api/safety/uploaded_documents/7' })).toEqual([
      '1 picture or file',
    ])
    expect(describeSealedAttachments(riskAssessment, { uploadedDocuments: [files[0]], associated: [{}] })).toEqual([
      '1 picture or file',
      '1 reference to a document or file',
    ])
  })
})
