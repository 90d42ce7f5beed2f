package syntax

import "reflect"

// Children calls f for each direct child node of n, in source order. Type
// syntax is left out, except for the wrappers whose expression runs.
func Children(n Node, f func(Node)) {
	one := func(c Node) {
		// A nil pointer in an interface is a part that isn't there.
		if c != nil && !reflect.ValueOf(c).IsNil() {
			f(c)
		}
	}
	switch n := n.(type) {
	case *Program:
		each(n.Body, one)
	case *TemplateLiteral:
		for i, q := range n.Quasis {
			one(q)
			if i < len(n.Expressions) {
				one(n.Expressions[i])
			}
		}
	case *TaggedTemplateExpression:
		one(n.Tag)
		one(n.Quasi)
	case *ArrayExpression:
		each(n.Elements, one)
	case *SpreadElement:
		one(n.Argument)
	case *ObjectExpression:
		each(n.Properties, one)
	case *Property:
		if !n.Shorthand {
			one(n.Key)
		}
		one(n.Value)
	case *FunctionExpression:
		one(n.Func)
	case *ArrowFunctionExpression:
		one(n.Func)
	case *ClassExpression:
		one(n.Class)
	case *ImportExpression:
		one(n.Source)
		one(n.Options)
	case *UnaryExpression:
		one(n.Argument)
	case *UpdateExpression:
		one(n.Argument)
	case *BinaryExpression:
		one(n.Left)
		one(n.Right)
	case *LogicalExpression:
		one(n.Left)
		one(n.Right)
	case *AssignmentExpression:
		one(n.Left)
		one(n.Right)
	case *ConditionalExpression:
		one(n.Test)
		one(n.Consequent)
		one(n.Alternate)
	case *SequenceExpression:
		each(n.Expressions, one)
	case *CallExpression:
		one(n.Callee)
		each(n.Arguments, one)
	case *NewExpression:
		one(n.Callee)
		each(n.Arguments, one)
	case *MemberExpression:
		one(n.Object)
		one(n.Property)
	case *ChainExpression:
		one(n.Expression)
	case *YieldExpression:
		one(n.Argument)
	case *AwaitExpression:
		one(n.Argument)
	case *ObjectPattern:
		each(n.Properties, one)
		one(n.Rest)
	case *AssignmentProperty:
		if !n.Shorthand {
			one(n.Key)
		}
		one(n.Value)
	case *ArrayPattern:
		each(n.Elements, one)
	case *AssignmentPattern:
		one(n.Left)
		one(n.Right)
	case *RestElement:
		one(n.Argument)
	case *Function:
		one(n.ID)
		each(n.Params, one)
		each(n.Body, one)
		one(n.ExprBody)
	case *Class:
		each(n.Decorators, one)
		one(n.ID)
		one(n.SuperClass)
		each(n.Members, one)
	case *MethodDefinition:
		each(n.Decorators, one)
		one(n.Key)
		one(n.Func)
	case *PropertyDefinition:
		each(n.Decorators, one)
		one(n.Key)
		one(n.Init)
	case *StaticBlock:
		one(n.Func)
	case *Decorator:
		one(n.Expression)
	case *TSAsExpression:
		one(n.Expression)
	case *TSSatisfiesExpression:
		one(n.Expression)
	case *TSNonNullExpression:
		one(n.Expression)
	case *TSTypeAssertion:
		one(n.Expression)
	case *TSInstantiationExpression:
		one(n.Expression)
	default:
		statementChildren(n, one)
	}
}

func statementChildren(n Node, one func(Node)) {
	switch n := n.(type) {
	case *ExpressionStatement:
		one(n.Expression)
	case *BlockStatement:
		each(n.Body, one)
	case *WithStatement:
		one(n.Object)
		one(n.Body)
	case *ReturnStatement:
		one(n.Argument)
	case *LabeledStatement:
		one(n.Label)
		one(n.Body)
	case *BreakStatement:
		one(n.Label)
	case *ContinueStatement:
		one(n.Label)
	case *IfStatement:
		one(n.Test)
		one(n.Consequent)
		one(n.Alternate)
	case *SwitchStatement:
		one(n.Discriminant)
		each(n.Cases, one)
	case *SwitchCase:
		one(n.Test)
		each(n.Consequent, one)
	case *ThrowStatement:
		one(n.Argument)
	case *TryStatement:
		one(n.Block)
		one(n.Handler)
		one(n.Finalizer)
	case *CatchClause:
		one(n.Param)
		one(n.Body)
	case *WhileStatement:
		one(n.Test)
		one(n.Body)
	case *DoWhileStatement:
		one(n.Body)
		one(n.Test)
	case *ForStatement:
		one(n.Init)
		one(n.Test)
		one(n.Update)
		one(n.Body)
	case *ForInStatement:
		one(n.Left)
		one(n.Right)
		one(n.Body)
	case *ForOfStatement:
		one(n.Left)
		one(n.Right)
		one(n.Body)
	case *VariableDeclaration:
		each(n.Declarations, one)
	case *VariableDeclarator:
		one(n.ID)
		one(n.Init)
	case *FunctionDeclaration:
		one(n.Func)
	case *ClassDeclaration:
		one(n.Class)
	case *ImportDeclaration:
		one(n.Default)
		one(n.Namespace)
		each(n.Named, one)
		one(n.Source)
	case *ImportSpecifier:
		one(n.Local)
	case *ExportNamedDeclaration:
		one(n.Declaration)
		each(n.Specifiers, one)
		one(n.Source)
	case *ExportDefaultDeclaration:
		one(n.Declaration)
		one(n.Expression)
	case *ExportAllDeclaration:
		one(n.Source)
	case *TSEnumDeclaration:
		one(n.ID)
		each(n.Members, one)
	case *TSEnumMember:
		one(n.Init)
	case *TSModuleDeclaration:
		each(n.Path, one)
		each(n.Body, one)
	case *TSImportEqualsDeclaration:
		one(n.ID)
		one(n.Require)
	case *TSExportAssignment:
		one(n.Expression)
	}
}

func each[T Node](list []T, f func(Node)) {
	for _, n := range list {
		f(n) // f skips the holes
	}
}

// Walk calls visit for n and, where visit returns true, for everything below
// it. It recurses as deep as the tree is high, which the parser bounds.
func Walk(n Node, visit func(Node) bool) { //meter: as deep as the tree, which the parser bounds
	if visit(n) {
		Children(n, func(c Node) { Walk(c, visit) })
	}
}
