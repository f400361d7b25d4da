import { createContext, useContext } from 'react'
import { DEFAULT_RISK_MATRIX, type RiskMatrix } from '../risk-matrix/bands.ts'

/** Risk matrix of the current document: axis names and bands. */
export const RiskMatrixContext = createContext<RiskMatrix>(DEFAULT_RISK_MATRIX)

export const useRiskMatrix = (): RiskMatrix => useContext(RiskMatrixContext)
