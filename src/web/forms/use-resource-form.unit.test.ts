import { expect, it } from 'vitest'
import { email, flag, text } from '#kernel/fields.ts'
import { ApiError } from '../api/client.ts'
import { assignFormErrors, findFormProblems } from './use-resource-form.ts'

const fields = { name: text({ required: true }), email: email({ default: '' }), retired: flag() }

it('the browser finds the same problems in a form as the server', () => {
  expect(findFormProblems(fields, { name: '  ', email: 'x' })).toMatchObject([
    { propertyPath: 'name', message: 'Field required, please enter text' },
    { propertyPath: 'email', message: 'Please enter an e-mail address such as name@company.co.uk' },
  ])
  expect(findFormProblems(fields, { name: 'A', email: '' })).toEqual([])
})

it('violations are shown next to their fields, or as form messages if they have no field', () => {
  const refused = new ApiError(422, 'x', [
    { propertyPath: 'name', message: 'Taken', code: 'invalid' },
    { propertyPath: 'name', message: 'Too short', code: 'invalid' },
    { propertyPath: 'roles[0]', message: 'Not here', code: 'invalid' },
  ])
  expect(assignFormErrors(refused, fields, String)).toEqual({
    wrong: [{ propertyPath: 'name', message: 'Taken', code: 'invalid' }],
    rest: ['Name: Too short', 'Not here'],
  })
  expect(assignFormErrors(new ApiError(0, 'Lost'), fields, (e) => (e as Error).message)).toEqual({
    wrong: [],
    rest: ['Lost'],
  })
})
