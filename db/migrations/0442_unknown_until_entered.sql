-- Nobody may have stated yet whether a control is in place, or what type of control it is.
ALTER TABLE risk_item ADD implemented_unknown boolean NOT NULL DEFAULT false;
ALTER TABLE risk_item ALTER implemented_unknown SET DEFAULT true;
ALTER TABLE hazard_control ALTER tier DROP NOT NULL, ALTER tier DROP DEFAULT;
