import { Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'
import page from '#web/ui/page.module.css'
import { INCIDENT_PATHS } from '../reports/paths.ts'

/** Card of the safety settings that opens the composed reference data. */
export default function ComposedReferenceCard() {
  return (
    <section className={page.card} aria-labelledby="composed-reference">
      <h2 id="composed-reference">Composed reference</h2>
      <Text>
        Some lists of the accident book have no official wording. A competent person at your company checks and confirms
        ours.
      </Text>
      <Anchor component={Link} to={INCIDENT_PATHS.composedReference}>
        Composed reference
      </Anchor>
    </section>
  )
}
