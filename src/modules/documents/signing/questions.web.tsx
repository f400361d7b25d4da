import '@mantine/core/styles/Radio.layer.css'
import '@mantine/core/styles/RadioIndicator.layer.css'
import { Alert, Button, Radio, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { OwnReadingProof } from './reading-proof.web.ts'
import { describeAnswers } from './reading-questions.ts'
import css from './signing.module.css'

const PLACE_SHOWN_MS = 4000

/** Finds the element of the document that names a topic; a heading rather than a passage that mentions it. */
function findPlace(topic: string): HTMLElement | undefined {
  const textOf = (element: HTMLElement) => (element.textContent ?? '').replaceAll(/\s+/g, ' ').trim()
  const all = [
    ...document.querySelectorAll<HTMLElement>('main :is(h2, h3, h4, h5, th, td, dt, dd, strong, li, p, span)'),
  ]
  const shown = all.filter((element) => !element.closest('form') && element.checkVisibility())
  return shown.find((element) => textOf(element) === topic) ?? shown.find((element) => textOf(element).includes(topic))
}

/** Scrolls to a place in the document, moves the focus there and marks the place for a moment. */
function showPlace(place: HTMLElement) {
  place.tabIndex = -1
  place.focus({ preventScroll: true })
  place.scrollIntoView({ block: 'center' })
  place.animate([{ outline: '3px solid var(--mantine-primary-color-filled)' }, { outline: '3px solid transparent' }], {
    duration: PLACE_SHOWN_MS,
    easing: 'ease-in',
  })
}

/** Questions about a document, one at a time. A wrong answer leads back to the place in the document. */
export default function ReadingQuestions({ open, answered, answer }: OwnReadingProof) {
  const [chosen, setChosen] = useState<string | null>(null)
  const [question] = open
  if (!question) return <Text role="status">{`${describeAnswers(answered)}. You can sign now.`}</Text>
  const wrong = question.tried.at(-1)
  const place = wrong === undefined ? undefined : findPlace(question.topic)
  const submit = () => {
    if (chosen === null) return
    answer(question, chosen)
    setChosen(null)
  }
  return (
    <form
      onSubmit={(e) => {
        e.preventDefault()
        submit()
      }}
    >
      <Stack gap="sm">
        <Text fw={600} role="status">
          {`Question ${answered.length + 1} of ${answered.length + open.length}`}
        </Text>
        <Radio.Group key={answered.length} label={question.question} value={chosen} onChange={setChosen}>
          <Stack gap={0} mt="xs">
            {question.options.map((option) => (
              <Radio
                key={option}
                value={option}
                label={option}
                disabled={question.tried.includes(option)}
                className={css.option ?? ''}
              />
            ))}
          </Stack>
        </Radio.Group>
        {wrong !== undefined && (
          <Alert color="yellow" role="alert" title="Not right yet">
            <Text>{`“${wrong}” is not listed under “${question.topic}”. Read that part again, then answer once more.`}</Text>
            {place && (
              <Button mt="xs" variant="default" onClick={() => showPlace(place)}>
                Show the place
              </Button>
            )}
          </Alert>
        )}
        <div>
          <Button type="submit" disabled={chosen === null}>
            Answer
          </Button>
        </div>
      </Stack>
    </form>
  )
}
