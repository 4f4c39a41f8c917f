//! Reads ODRL policies back, decides by them, and checks them against the rules of the ODRL
//! Information Model 2.2 and of the W3C's list of validations. It does not know how they are made.

use grantor_domain::Timestamp;
use grantor_domain::decision::{Decision, Question};
use serde_json::Value;

const PURPOSES: &str = "/ns/uses#";
const COUNTRIES: &str = "https://www.iso.org/obp/ui/#iso:code:3166:";

/// Terms of the ODRL vocabulary. Others would need a profile.
const LEFT_OPERANDS: [&str; 4] = ["dateTime", "payAmount", "purpose", "spatial"];
const SET_OPERATORS: [&str; 3] = ["isAllOf", "isAnyOf", "isNoneOf"];
const COMPARISONS: [&str; 6] = ["eq", "gt", "gteq", "lt", "lteq", "neq"];
const ACTIONS: [&str; 3] = ["odrl:compensate", "obtainConsent", "use"];

/// What a policy permits and prohibits.
pub(super) struct Policy {
    permissions: Vec<Rule>,
    prohibitions: Vec<Rule>,
}

struct Rule {
    constraints: Vec<Constraint>,
    has_duties: bool,
}

enum Constraint {
    Purpose(Vec<String>),
    Spatial(Vec<String>),
    Since(Timestamp),
    Before(Timestamp),
}

impl Policy {
    /// Reads a policy. What is not understood must not be ignored.
    pub(super) fn read(policy: &Value) -> Self {
        let rules = |name: &str| list(policy, name).iter().map(Rule::read).collect();
        assert!(policy.get("obligation").is_none() && policy.get("profile").is_none());
        Self { permissions: rules("permission"), prohibitions: rules("prohibition") }
    }

    /// Decides for somebody who has fulfilled all duties, or none.
    pub(super) fn decide(&self, question: &Question, fulfilled: bool) -> Decision {
        if self.prohibitions.iter().any(|it| it.applies(question)) {
            return Decision::Denied;
        }
        let permitting: Vec<_> =
            self.permissions.iter().filter(|it| it.applies(question)).collect();
        if permitting.iter().any(|it| fulfilled || !it.has_duties) {
            Decision::Allowed
        } else if permitting.is_empty() {
            Decision::Denied
        } else {
            Decision::Ask
        }
    }
}

impl Rule {
    fn read(rule: &Value) -> Self {
        assert_eq!(rule["action"], "use");
        let constraints = list(rule, "constraint").iter().map(Constraint::read).collect();
        Self { constraints, has_duties: !list(rule, "duty").is_empty() }
    }

    /// Constraints are a conjunction.
    fn applies(&self, question: &Question) -> bool {
        self.constraints.iter().all(|it| it.holds(question))
    }
}

impl Constraint {
    fn read(constraint: &Value) -> Self {
        let term = |name: &str| constraint[name].as_str().unwrap();
        let right = &constraint["rightOperand"];
        let after = |text: &str, mark: &str| text.split_once(mark).unwrap().1.to_owned();
        let values = |mark| {
            let values = right["@list"].as_array().unwrap().iter();
            values.map(|it| after(it["@id"].as_str().unwrap(), mark)).collect()
        };
        let time = || Timestamp::parse(right["@value"].as_str().unwrap()).unwrap();
        match (term("leftOperand"), term("operator")) {
            ("purpose", "isAnyOf") => Self::Purpose(values(PURPOSES)),
            ("spatial", "isAnyOf") => Self::Spatial(values(COUNTRIES)),
            ("dateTime", "gteq") => Self::Since(time()),
            ("dateTime", "lt") => Self::Before(time()),
            other => panic!("not understood: {other:?}"),
        }
    }

    fn holds(&self, question: &Question) -> bool {
        match self {
            Self::Purpose(uses) => uses.iter().any(|it| it == question.usage.key()),
            // The whole world is no country.
            Self::Spatial(countries) => countries.contains(&question.territory.to_string()),
            Self::Since(from) => question.at >= *from,
            Self::Before(end) => question.at < *end,
        }
    }
}

/// The values of a property, which JSON-LD allows to stand alone.
fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    match value.get(name) {
        None => &[],
        Some(Value::Array(values)) => values,
        Some(one) => std::slice::from_ref(one),
    }
}

/// Which rules a policy breaks.
pub(super) fn violations(policy: &Value) -> Vec<String> {
    let mut broken = vec![];
    let mut must = |holds: bool, rule: &str| {
        if !holds {
            broken.push(rule.to_owned());
        }
    };
    must(is_iri(&policy["uid"]), "a policy has one IRI as uid");
    must(policy["@type"] == "Offer", "the policy is an offer");
    must(policy.get("profile").is_none(), "only terms of ODRL itself are used");
    let contexts = list(policy, "@context");
    must(
        contexts.first() == Some(&"http://www.w3.org/ns/odrl.jsonld".into()),
        "the context of ODRL",
    );
    let kinds = ["permission", "prohibition"].map(|it| list(policy, it));
    must(kinds.iter().any(|it| !it.is_empty()), "a policy has at least one rule");
    for rule in kinds.into_iter().flatten() {
        must(is_iri(&rule["target"]["uid"]), "a rule has one target");
        must(is_iri(&rule["assigner"]["uid"]), "every rule of an offer has one assigner");
        must(action(rule).is_some_and(|it| it == "use"), "a rule has one action of ODRL");
        must(list(rule, "constraint").iter().all(is_constraint), "constraints are whole");
        must(list(rule, "duty").iter().all(is_duty), "duties are whole");
    }
    let free = list(policy, "prohibition").iter().all(|it| it.get("duty").is_none());
    must(free, "only permissions have duties");
    broken
}

fn is_iri(value: &Value) -> bool {
    value.as_str().is_some_and(|it| url::Url::parse(it).is_ok())
}

/// The action of a rule, which may be refined.
fn action(rule: &Value) -> Option<&str> {
    let [action] = list(rule, "action") else { return None };
    let refined = action.get("refinement");
    let sound = refined.is_none() || list(action, "refinement").iter().all(is_constraint);
    let name = if refined.is_some() { &action["rdf:value"]["@id"] } else { action };
    name.as_str().filter(|it| sound && ACTIONS.contains(it))
}

fn is_duty(duty: &Value) -> bool {
    action(duty).is_some_and(|it| it != "use")
}

/// A constraint has one left operand, one operator and one right operand: a list for sets, else a
/// typed value.
fn is_constraint(constraint: &Value) -> bool {
    let (right, reference) = (&constraint["rightOperand"], constraint.get("rightOperandReference"));
    let is = |name: &str, terms: &[&str]| {
        constraint[name].as_str().is_some_and(|it| terms.contains(&it))
    };
    let values = right["@list"].as_array();
    let is_set = values.is_some_and(|it| !it.is_empty() && it.iter().all(|it| is_iri(&it["@id"])));
    let is_value = right["@value"].is_string() && is_iri(&right["@type"]);
    let unit = constraint.get("unit").is_none_or(is_iri);
    is("leftOperand", &LEFT_OPERANDS)
        && (is("operator", &SET_OPERATORS) && is_set || is("operator", &COMPARISONS) && is_value)
        && reference.is_none()
        && unit
}

#[test]
fn a_broken_policy_is_noticed() {
    let sound = serde_json::json!({
        "@context": ["http://www.w3.org/ns/odrl.jsonld"], "@type": "Offer", "uid": "urn:x:1",
        "permission": [{
            "target": { "uid": "urn:x:2" }, "assigner": { "uid": "urn:x:3" }, "action": "use",
            "constraint": [{
                "leftOperand": "purpose", "operator": "isAnyOf",
                "rightOperand": { "@list": [{ "@id": "urn:x:4" }] },
            }],
            "duty": [{ "action": "obtainConsent" }],
        }],
    });
    assert_eq!(violations(&sound), Vec::<String>::new());
    for (at, value) in [
        ("/uid", "no IRI".into()),
        ("/permission", Value::Array(vec![])),
        ("/permission/0/target", Value::Null),
        ("/permission/0/assigner", Value::Null),
        ("/permission/0/action", "fly".into()),
        ("/permission/0/constraint/0/operator", "isNearly".into()),
        ("/permission/0/constraint/0/operator", "eq".into()),
        ("/permission/0/constraint/0/rightOperand/@list", Value::Array(vec![])),
        ("/permission/0/duty/0/action", Value::Null),
    ] {
        let mut broken = sound.clone();
        *broken.pointer_mut(at).unwrap() = value;
        assert_eq!(violations(&broken).len(), 1, "{at}: {:?}", violations(&broken));
    }
}
