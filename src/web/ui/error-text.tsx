import { Text, type TextProps } from '@mantine/core'
import type { ReactNode } from 'react'

/** What is wrong with what stands beside it, said as soon as it appears. */
export const ErrorText = (props: TextProps & { readonly id?: string; readonly children: ReactNode }) => (
  <Text role="alert" size="sm" c="var(--mantine-color-error)" {...props} />
)
